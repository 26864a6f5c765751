alter table users add column two_factor_enabled boolean not null default false;
alter table organizations add column requires_second_factor boolean not null default false;

-- Secret and recovery codes are encrypted by the sign-in library under a key derived from SECRETS_KEY.
create table second_factors (
  id text primary key,
  user_id text not null unique references users (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  -- False until the first code was right.
  verified boolean not null,
  -- The library's own lockout, which we don't use: it would let strangers lock people out.
  failed_verification_count integer,
  locked_until timestamptz(3)
);

-- Sign-ins that wait for the code, by a hash. The library deletes them.
create table sign_in_challenges (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index on sign_in_challenges (identifier);
create index on sign_in_challenges (expires_at);
