-- A known text encrypted under this database's SECRETS_KEY, so that a start with another key is noticed.
create table secrets_key_mark (
  only_one boolean primary key default true check (only_one),
  sealed_mark bytea not null
);
