-- The table of deliveries shows whose interview each is about. By way of the result, every row of a page cost one more
-- lookup in a large table: with ten million deliveries, a third of the time. Without a reference of its own, for the
-- result has one. All in one go, and for new rows at once: there is no release yet whose processes could run beside this,
-- or whose tables could be large.
alter table deliveries add column interview_id text;
update deliveries d set interview_id = r.interview_id from results r where r.id = d.result_id;
alter table deliveries alter column interview_id set not null;
