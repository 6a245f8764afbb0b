-- Gives back the empty leaves of the indexes that are filled at one end and emptied at the other: whoever looks for what is
-- due first walks past them. It locks no table and waits for nobody, but reads each index as a whole and writes redo
-- (SQL Language Reference, ALTER INDEX, COALESCE). The indexes of AQ are AQ's own affair.
BEGIN
  EXECUTE IMMEDIATE 'ALTER INDEX {wf}_signal_due COALESCE';
  EXECUTE IMMEDIATE 'ALTER INDEX {wf}_later_due COALESCE';
  EXECUTE IMMEDIATE 'ALTER INDEX {wf}_instance_closed COALESCE';
END;
