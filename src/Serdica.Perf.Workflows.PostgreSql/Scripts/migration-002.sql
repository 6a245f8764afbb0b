-- Pages of dead letters go on behind the last one of the page before, and those of an instance are found by it: when they
-- are listed, and when the instance is purged.
drop index {schema}.dead_letter_age;
create index dead_letter_age on {schema}.dead_letter (dead_at, signal_id);
create index dead_letter_instance on {schema}.dead_letter (instance_id);
