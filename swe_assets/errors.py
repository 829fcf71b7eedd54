"""Every exception this product raises on purpose.

* SweAssetsError
  * InputError               what the user handed over cannot be used
    * PredictionsError
    * ResultsError
    * DatasetError
    * MatrixError
    * StudyError             a study's name, pin or instance ids
    * DownloadError          a URL that did not give what it should
    * AuditError             a returned audit sheet that cannot be taken as it is
    * ReportError            a folder or file of results that cannot be read as a report's
  * ConfigurationError       a setting, key or tool is missing or wrong
  * ServiceError             a server of this machine cannot be started, reached or stopped
  * RepositoryError
    * MirrorError            a mirror cannot be cloned, opened or read
    * CommitMissingError     a mirror lacks the commit that was asked for
  * AnalyserError            an analyser could not do its work (not: a file that does not parse)
    * AnalyserUnavailableError  no instance can be analysed now: the stage stops, the next run goes on
      * SonarServerError     a SonarQube server that is unreachable, starting or failing: try again later
      * SonarRightsError     a SonarQube token that is refused or lacks a right
    * SonarReplyError        an answer that is not what the web API promises, or a request it refuses
      * MetricMissingError   the server has no such metric
      * ComponentMissingError  the server has no such project, file or task, or shows none to the token
    * SonarTaskError         a background task that failed, was cancelled or took too long
      * SonarTimeoutError    … that is still under way
    * StaleAnalysisError     what the server holds is not the analysis that was recorded
    * ScannerError           the scanner ended without an upload
  * JudgeError               a model call that ended without a valid verdict
  * StoreError               records cannot be written: every instance would meet it
  * RecordError              one stored record or content is missing or damaged
  * WaitEndedError           a wait for another holder of a claim was ended, since the work is to stop

A message says what was asked, what was found and what to do.
"""


class SweAssetsError(Exception):
    """Base of all errors raised on purpose; the command line shows its text without a traceback."""


class InputError(SweAssetsError):
    """What the user handed over cannot be used."""


class PredictionsError(InputError):
    """A predictions file that cannot be read as predictions."""


class ResultsError(InputError):
    """A results file that cannot be read as outcomes."""


class DatasetError(InputError):
    """A dataset that cannot be loaded or lacks columns."""


class MatrixError(InputError):
    """A consolidated matrix that cannot be analysed."""


class StudyError(InputError):
    """A study's name, pin or instance ids are not usable."""


class DownloadError(InputError):
    """A URL that did not give what it should."""


class AuditError(InputError):
    """A returned audit sheet that cannot be taken as it is."""


class ReportError(InputError):
    """A folder or file of results that cannot be read as a report's."""


class ConfigurationError(SweAssetsError):
    """A setting, key or tool is missing or wrong."""


class ServiceError(SweAssetsError):
    """A server of this machine cannot be started, reached or stopped."""


class RepositoryError(SweAssetsError):
    """A git repository could not serve what was asked."""


class MirrorError(RepositoryError):
    """A mirror cannot be cloned, opened or read."""


class CommitMissingError(RepositoryError):
    """A mirror lacks the commit that was asked for."""


class AnalyserError(SweAssetsError):
    """An analyser could not do its work."""


class AnalyserUnavailableError(AnalyserError):
    """No instance can be analysed now, whatever it is: the work stops and can be taken up later."""


class SonarServerError(AnalyserUnavailableError):
    """A SonarQube server is unreachable, starting or failing: the whole work stops and can be tried later."""


class SonarRightsError(AnalyserUnavailableError):
    """A SonarQube token is refused or lacks a right: every request would meet it."""


class SonarReplyError(AnalyserError):
    """An answer is not what SonarQube's web API promises, or the server refuses what was asked."""


class MetricMissingError(SonarReplyError):
    """The server has no such metric; ``names`` holds the keys it does not know."""

    def __init__(self, message: str, names: tuple[str, ...]) -> None:
        super().__init__(message)
        self.names = names


class ComponentMissingError(SonarReplyError):
    """The server has no such project, file or task, or does not show it to the token."""


class SonarTaskError(AnalyserError):
    """A background task of SonarQube failed, was cancelled or took too long."""


class SonarTimeoutError(SonarTaskError):
    """A background task is still under way after the time that it was given."""


class StaleAnalysisError(AnalyserError):
    """What the server holds now is not the analysis that was recorded: it must be scanned again."""


class ScannerError(AnalyserError):
    """The scanner ended without an upload."""


class JudgeError(SweAssetsError):
    """A model call ended without a valid verdict."""


class StoreError(SweAssetsError):
    """Records cannot be written, which every instance would meet."""


class RecordError(SweAssetsError):
    """One stored record or content is missing or damaged; its instance alone is touched."""


class WaitEndedError(SweAssetsError):
    """A wait for another holder of a claim was ended, since the work is to stop."""
