"""What a study is pinned from: predictions, results, a dataset, or a whole leaderboard submission.

* quoting      how hostile values are shown in messages
* addresses    URLs: which are accepted, how they are shown, where their raw files lie
* sources      a local file or a download as bounded, hashed bytes
* json_records JSON documents and JSON lines, with line numbers
* predictions, results, dataset, submission: the readers
"""
