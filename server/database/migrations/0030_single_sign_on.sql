create table single_sign_on (
  organization_id text primary key references organizations (id),
  issuer text not null,
  client_id text not null,
  -- AES-256-GCM under SECRETS_KEY.
  sealed_secret bytea not null,
  domain text not null check (domain = lower(domain)),
  -- Set by the operator. Until then nobody signs in this way: an organization must not claim someone else's domain.
  domain_confirmed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index single_sign_on_domains on single_sign_on (domain) where domain_confirmed_at is not null;

-- A session by single sign-on is good for this organization only: its identity provider doesn't speak for others.
alter table sessions add column organization_id text references organizations (id);
