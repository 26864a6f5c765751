-- When the personal data of an interview's candidate was erased. Nothing of it may come in again afterwards.
alter table interviews add column erased_at timestamptz(3);

-- How the endpoint of an organization fares: failing since its first failure without a success after it.
create table endpoint_states (
  organization_id text primary key references organizations (id),
  failing_since timestamptz(3),
  last_failure_at timestamptz(3) not null,
  last_error text not null,
  failures integer not null,
  -- When it had been failing for an hour, and that was told.
  told_again_at timestamptz(3),
  recovered_at timestamptz(3),
  check ((failing_since is null) = (recovered_at is not null))
);

-- Up to which attempt the endpoints have been looked at. What was there before this table counts as looked at.
create table endpoint_look (
  singleton boolean primary key default true check (singleton),
  attempt_id bigint not null
);
insert into endpoint_look (attempt_id) select coalesce(max(id), 0) from delivery_attempts;
