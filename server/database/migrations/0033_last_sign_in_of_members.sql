-- The last sign-in that led to this organization. What people do elsewhere is none of its admins' business.
alter table members add column last_sign_in_at timestamptz(3);
update members m set last_sign_in_at = u.last_sign_in_at from users u
where u.id = m.user_id
  and not exists (select from members o where o.user_id = m.user_id and o.organization_id <> m.organization_id);
