-- A job that SQS holds is leased, but no worker has claimed it.
alter table delivery_jobs drop constraint delivery_jobs_check;
alter table delivery_jobs add check (claimed_at is null or leased_until is not null);
-- How many due jobs of an organization SQS holds. Empty with the queue in PostgreSQL.
create index delivery_jobs_in_sqs on delivery_jobs (organization_id, due_at) where claimed_at is null and leased_until is not null;
