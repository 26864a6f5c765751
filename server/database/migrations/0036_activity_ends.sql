-- When the key that an entry is about ends. Not in the detail, so that readers see it in their own time zone.
alter table activity add column ends_at timestamptz(3);
