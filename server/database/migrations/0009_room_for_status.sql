-- Every delivery changes its status, which adds a new entry to every index next to the old one. Leave room for it:
-- otherwise each full page is first searched for dead entries and then split anyway.
alter index deliveries_pkey set (fillfactor = 50);
alter index deliveries_result_id_key set (fillfactor = 50);
