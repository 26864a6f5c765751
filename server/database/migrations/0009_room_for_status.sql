-- Each delivery changes its status, and by that is written anew in every index, next to where it stands. Room for that is
-- left from the beginning; otherwise each full page is first searched for what could go, and then split after all.
alter index deliveries_pkey set (fillfactor = 50);
alter index deliveries_result_id_key set (fillfactor = 50);
