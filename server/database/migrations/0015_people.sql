-- The networks each user has signed in from, by the digest of both: there, the right password always works, however many
-- wrong ones come from elsewhere.
create table sign_in_places (
  subject bytea primary key,
  seen_at timestamptz(3) not null
);
create index on sign_in_places (seen_at);

-- An address with an accent has two Unicode spellings that look the same. From now on, one is stored. Where both exist
-- already, their IDs are in use, so they stay separate; erasing finds both.
update candidates set email_key = normalize(email_key, NFC)
where id in (
  select min(c.id) from candidates c
  where c.email_key is not NFC normalized and not exists (
    select from candidates o where o.organization_id = c.organization_id and o.email_key = normalize(c.email_key, NFC))
  group by c.organization_id, normalize(c.email_key, NFC)
);
update interviews set email_key = normalize(email_key, NFC)
where email_key is not NFC normalized and (superseded or id in (
  select min(i.id) from interviews i
  where not i.superseded and i.email_key is not NFC normalized and not exists (
    select from interviews o where o.organization_id = i.organization_id and o.template_id = i.template_id
      and o.email_key = normalize(i.email_key, NFC) and not o.superseded)
  group by i.organization_id, i.template_id, normalize(i.email_key, NFC)
));
