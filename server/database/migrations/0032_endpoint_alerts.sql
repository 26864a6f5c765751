-- When members were told that the endpoint is failing, and which host was named. Null while it may be a brief disturbance.
alter table endpoint_states add column alerted_at timestamptz(3);
alter table endpoint_states add column alerted_host text;
alter table endpoint_states add check ((alerted_at is null) = (alerted_host is null));
-- Nobody was told about an endpoint that is failing now: that was only logged. Its next failure is news, and so is that it
-- still fails an hour later.
update endpoint_states set told_again_at = null;
