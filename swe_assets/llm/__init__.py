"""Language models behind one Protocol, one file a provider, and a public offline twin.

* ``protocol`` what goes in and comes out; ``outcomes`` how a call can end; ``registry`` models by name
* providers: ``rehearsal`` (the offline twin), ``gemini``, ``anthropic``, ``openai_compatible``, ``replay``;
  ``providers`` finds them and those that a user adds; ``small_model`` a real one to check plumbing with
* named by users: ``specs``, ``spec_file`` (models.toml), ``spec_fields``; ``recording`` hands answers on
* shared by providers: ``http_provider`` (key, client, failures), ``guarded_http`` (one address, bounded),
  ``http_failure``, ``object_schema``, ``attempts`` (retries counted once), ``waits``, ``keys``
* around a provider: ``called_model`` (answers of the ``call_store``, then attempts within pace and budget)
* from words to objects: ``json_text``, ``json_mending``, ``typed_reply``; ``refusals`` what is none
* answers in a file: ``answer_lines``
* foreign text in prompts: ``fencing``, ``plain_text``
"""
