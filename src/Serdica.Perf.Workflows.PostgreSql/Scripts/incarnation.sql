-- Which server this is: another one, and the same one after a restart, has another time.
select pg_postmaster_start_time()
