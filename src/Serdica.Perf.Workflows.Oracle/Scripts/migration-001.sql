-- Instances, their signals, dead letters, dedup keys, delayed messages. Ids and keys are RAW: they are compared byte by
-- byte, whatever NLS settings say. Times are microseconds since 1970 in UTC. Whoever died half-way is taken up again:
-- what is there stays.
--
-- LOB ... CACHE: contents over 4,000 bytes lie outside of the row, and would be read from and written to the disk each time,
-- by the session that waits for them.
DECLARE
  e_name_taken EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_name_taken, -955);

  PROCEDURE make(p_statement IN VARCHAR2) IS
  BEGIN
    EXECUTE IMMEDIATE p_statement;
  EXCEPTION
    WHEN e_name_taken THEN
      NULL;
  END make;
BEGIN
  make('CREATE TABLE {wf}_instance (
    instance_id  RAW(16)    NOT NULL CONSTRAINT {wf}_instance_pk PRIMARY KEY,
    parent_id    RAW(16),
    business_key RAW(800),
    definition   RAW(800)   NOT NULL,
    version      NUMBER(18) NOT NULL,
    status       NUMBER(3)  NOT NULL,
    waits        NUMBER(3)  NOT NULL,
    created_us   NUMBER(18) NOT NULL,
    updated_us   NUMBER(18) NOT NULL,
    content      BLOB       NOT NULL
  ) LOB (content) STORE AS (CACHE)');

  -- Rows without a key are not in it.
  make('CREATE UNIQUE INDEX {wf}_instance_key ON {wf}_instance (business_key)');

  -- Closed instances only, by the time of their last write: of a row whose expression is NULL an index has nothing. The purge
  -- walks along it and reads no open instance. The number is the first status that is closed.
  make('CREATE INDEX {wf}_instance_closed ON {wf}_instance ((CASE WHEN status >= 2 THEN updated_us END))');

  make('CREATE TABLE {wf}_signal (
    instance_id   RAW(16)    NOT NULL,
    signal_id     RAW(16)    NOT NULL,
    due_us        NUMBER(18) NOT NULL,
    kind          NUMBER(3)  NOT NULL,
    attempt       NUMBER(10) NOT NULL,
    message_id    RAW(16)    NOT NULL,
    content_bytes NUMBER(10) NOT NULL,
    CONSTRAINT {wf}_signal_pk PRIMARY KEY (instance_id, signal_id)
  )');

  -- The claim walks along it and reads nothing else before it has found an instance.
  make('CREATE INDEX {wf}_signal_due ON {wf}_signal (due_us, signal_id, instance_id)');

  make('CREATE TABLE {wf}_large (
    instance_id RAW(16) NOT NULL,
    signal_id   RAW(16) NOT NULL,
    content     BLOB    NOT NULL,
    CONSTRAINT {wf}_large_pk PRIMARY KEY (instance_id, signal_id)
  ) LOB (content) STORE AS (CACHE)');

  make('CREATE TABLE {wf}_signal_key (
    instance_id RAW(16)  NOT NULL,
    dedup_key   RAW(800) NOT NULL,
    CONSTRAINT {wf}_signal_key_pk PRIMARY KEY (instance_id, dedup_key)
  )');

  make('CREATE TABLE {wf}_dead_letter (
    signal_id   RAW(16)    NOT NULL CONSTRAINT {wf}_dead_letter_pk PRIMARY KEY,
    instance_id RAW(16)    NOT NULL,
    dead_us     NUMBER(18) NOT NULL,
    kind        NUMBER(3)  NOT NULL,
    attempt     NUMBER(10) NOT NULL,
    reason      NUMBER(3)  NOT NULL,
    content     BLOB       NOT NULL,
    detail      BLOB       NOT NULL
  ) LOB (content, detail) STORE AS (CACHE)');
  make('CREATE INDEX {wf}_dead_letter_age ON {wf}_dead_letter (dead_us, signal_id)');

  -- The purge of an instance looks for its letters.
  make('CREATE INDEX {wf}_dead_letter_owner ON {wf}_dead_letter (instance_id)');

  make('CREATE TABLE {wf}_later (
    message_id RAW(16)       NOT NULL CONSTRAINT {wf}_later_pk PRIMARY KEY,
    due_us     NUMBER(18)    NOT NULL,
    name       VARCHAR2(128) NOT NULL
  )');
  make('CREATE INDEX {wf}_later_due ON {wf}_later (due_us, message_id)');
END;
