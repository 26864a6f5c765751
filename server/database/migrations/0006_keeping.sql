-- When the candidate's personal data was erased. None of it may be stored again afterwards.
alter table interviews add column erased_at timestamptz(3);

-- The health of each endpoint. It is failing since its first failure without a later success.
create table endpoint_states (
  organization_id text primary key references organizations (id),
  failing_since timestamptz(3),
  last_failure_at timestamptz(3) not null,
  last_error text not null,
  failures integer not null,
  -- When the alert for an hour of failures was sent.
  told_again_at timestamptz(3),
  recovered_at timestamptz(3),
  check ((failing_since is null) = (recovered_at is not null))
);

-- The last attempt that was evaluated. Attempts from before this table count as evaluated.
create table endpoint_look (
  singleton boolean primary key default true check (singleton),
  attempt_id bigint not null
);
insert into endpoint_look (attempt_id) select coalesce(max(id), 0) from delivery_attempts;
