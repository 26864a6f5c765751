-- A signing secret changes in two steps: the next one is prepared while events are still signed with the current one,
-- and replaces it when it is activated.
alter table webhook_endpoints add column sealed_next_secret bytea;
alter table webhook_endpoints add column next_secret_prepared_at timestamptz(3);
alter table webhook_endpoints add constraint webhook_endpoints_next_secret_check
  check ((sealed_next_secret is null) = (next_secret_prepared_at is null));
