-- Sigma has two lowercase forms. From now on, one is stored. Where an address exists in both already, the candidates stay
-- separate, because their IDs are in use; erasing finds both.
update candidates set email_key = replace(email_key, 'ς', 'σ')
where id in (
  select min(c.id) from candidates c
  where c.email_key like '%ς%' and not exists (
    select from candidates o where o.organization_id = c.organization_id and o.email_key = replace(c.email_key, 'ς', 'σ'))
  group by c.organization_id, replace(c.email_key, 'ς', 'σ')
);
update interviews set email_key = replace(email_key, 'ς', 'σ')
where email_key like '%ς%' and (superseded or id in (
  select min(i.id) from interviews i
  where not i.superseded and i.email_key like '%ς%' and not exists (
    select from interviews o where o.organization_id = i.organization_id and o.template_id = i.template_id
      and o.email_key = replace(i.email_key, 'ς', 'σ') and not o.superseded)
  group by i.organization_id, i.template_id, replace(i.email_key, 'ς', 'σ')
));
