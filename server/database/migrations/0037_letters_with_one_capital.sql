-- As 0035, for the other letters with two lowercase forms.
create function folded(text) returns text language sql immutable as $$
  select normalize(translate($1, 'µſςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ', 'μsσβθφπκρεвдосттъѣꙋṡ'), NFC)
$$;
update candidates set email_key = folded(email_key)
where id in (
  select min(c.id) from candidates c
  where c.email_key <> folded(c.email_key) and not exists (
    select from candidates o where o.organization_id = c.organization_id and o.email_key = folded(c.email_key))
  group by c.organization_id, folded(c.email_key)
);
update interviews set email_key = folded(email_key)
where email_key <> folded(email_key) and (superseded or id in (
  select min(i.id) from interviews i
  where not i.superseded and i.email_key <> folded(i.email_key) and not exists (
    select from interviews o where o.organization_id = i.organization_id and o.template_id = i.template_id
      and o.email_key = folded(i.email_key) and not o.superseded)
  group by i.organization_id, i.template_id, folded(i.email_key)
));
drop function folded(text);
