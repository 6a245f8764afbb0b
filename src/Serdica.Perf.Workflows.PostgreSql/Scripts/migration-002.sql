-- Dead letters by their instance: a purge and a question about one instance need not read them all.
create index dead_letter_instance on {schema}.dead_letter (instance_id);
