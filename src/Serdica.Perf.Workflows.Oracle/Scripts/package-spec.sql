CREATE OR REPLACE PACKAGE {wf} AS
  -- The store of the workflow engine on Oracle Advanced Queuing. Every procedure works on a batch and is one round
  -- trip; none commits. The caller either commits a transaction of its own around several calls, or lets the driver
  -- commit a single one.
  --
  -- Documents are ASCII JSON (ids and keys in hexadecimal, times as microseconds since 1970 in UTC), so that neither
  -- the character set of the database nor that of the client matters. Contents (states, payloads) are bytes that the
  -- package never looks into. They travel beside the document, one after the other in the order of their items, which
  -- tell their lengths. A content over 16,000 bytes is "large": it is written by append_content, and read by a query.

  -- Microseconds since 1970-01-01 00:00 UTC.
  FUNCTION now_us RETURN NUMBER;

  -- Writes items in their order. p_items: an array of objects, each with "op". p_results: an array with one object
  -- {"n": place of the item, "outcome": number, ...} for each item of which there is something to tell.
  -- p_since: the time that an earlier call of the same batch returned as p_now_us, or NULL. What is due at once in one
  -- batch is due at one time, and so comes in the order of the ids, however many calls the batch needs.
  -- p_conflict 1: an instance has another version than expected, and the caller must roll back.
  PROCEDURE write_batch(
    p_items    IN  RAW,
    p_contents IN  RAW,
    p_since    IN  NUMBER,
    p_now_us   OUT NUMBER,
    p_conflict OUT NUMBER,
    p_results  OUT RAW);

  -- Appends to the content of a large instance, signal or letter that was written in the same transaction.
  PROCEDURE append_content(
    p_target      IN VARCHAR2,
    p_instance_id IN RAW,
    p_signal_id   IN RAW,
    p_chunk       IN RAW);

  -- Locks instances that have due signals, takes the signals out of the queue and returns both. p_max and p_bytes bound
  -- what one call takes; one signal it always takes. p_skip 1: leaves signals that are ready to run an activity, or
  -- whose lease has run out, where they are. p_one 1: one instance. p_next_us: how long until the next signal is due when
  -- none was; 0 when there was no room for all that is due, or other instances were left; -1 when none is known.
  -- p_missing: signals that the queue did not hand out; they stay as they are.
  PROCEDURE claim_batch(
    p_max       IN  NUMBER,
    p_bytes     IN  NUMBER,
    p_skip      IN  NUMBER,
    p_one       IN  NUMBER,
    p_now_us    OUT NUMBER,
    p_next_us   OUT NUMBER,
    p_missing   OUT NUMBER,
    p_instances OUT RAW,
    p_contents  OUT RAW);

  -- Takes due messages of the bare queue. p_seconds: how long to wait for one when none is there, but not past the due time of
  -- a delayed one. p_waited: the seconds that it has waited in vain.
  PROCEDURE receive_batch(
    p_max      IN  NUMBER,
    p_seconds  IN  NUMBER,
    p_now_us   OUT NUMBER,
    p_next_us  OUT NUMBER,
    p_waited   OUT NUMBER,
    p_messages OUT RAW,
    p_contents OUT RAW);

  -- Deletes closed instances that were last written more than p_age_us ago, with all that is theirs: p_batch at
  -- most, and fewer when much is theirs.
  PROCEDURE purge_closed(
    p_age_us IN  NUMBER,
    p_batch  IN  NUMBER,
    p_purged OUT NUMBER);

  -- Deletes what belongs to no instance, of p_batch former ones at most. A transaction that saw an instance before it was
  -- purged may have sent it a signal since, and committed later.
  PROCEDURE purge_orphans(
    p_batch  IN  NUMBER,
    p_purged OUT NUMBER);

  -- Whether the caller is to keep the store in order now. One process gets p_begun 1, and nobody else for p_pause_us.
  PROCEDURE begin_upkeep(
    p_pause_us IN  NUMBER,
    p_begun    OUT NUMBER);

  -- Deletes signals' and delayed messages that no row leads to, p_batch at most. One is left where the queue monitor held the
  -- message of a timer at the moment when the timer was withdrawn.
  PROCEDURE sweep_messages(
    p_batch IN  NUMBER,
    p_swept OUT NUMBER);

  -- Leaves a hint for one waiting process, at once and outside of any transaction, unless one of the same sender lies
  -- there already. p_left: 1 when it did.
  PROCEDURE notify_work(
    p_sender IN  RAW,
    p_left   OUT NUMBER);

  -- Waits up to p_seconds for a hint of another sender and takes all of theirs that lie there.
  PROCEDURE await_work(
    p_sender  IN  RAW,
    p_seconds IN  NUMBER,
    p_found   OUT NUMBER);
END {wf};
