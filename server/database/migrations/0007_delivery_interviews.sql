-- The list of deliveries shows the candidate. Going through the result cost one more lookup in a large table per row:
-- with ten million deliveries, a third of the time. No foreign key, because the result has one. All in one step, because no
-- release exists yet whose processes could run at the same time, or whose tables could be large.
alter table deliveries add column interview_id text;
update deliveries d set interview_id = r.interview_id from results r where r.id = d.result_id;
alter table deliveries alter column interview_id set not null;
