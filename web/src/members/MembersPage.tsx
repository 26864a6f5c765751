import { Skeleton, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../api.ts'
import { IconUserPlus } from '../icons/icons.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { focusIfLost } from '../parts/focus.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import { InvitationTable } from './InvitationTable.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { LinkDialog, type ShownLink } from './LinkDialog.tsx'
import classes from './MembersPage.module.css'
import { MemberTable } from './MemberTable.tsx'

export function MembersPage() {
  const { id } = useOrganization()
  const [inviting, { open, close }] = useDisclosure()
  const [link, setLink] = useState<ShownLink | null>(null)
  const [showing, shown] = useDisclosure()
  const inviteRef = useRef<HTMLButtonElement>(null)
  const members = useQuery({ queryKey: ['members', id], queryFn: () => api.members(id) })
  const show = (link: ShownLink) => {
    setLink(link)
    shown.open()
  }

  return (
    <>
      <PageHead
        title="Members"
        action={
          <ChangeButton ref={inviteRef} leftSection={<IconUserPlus size={18} aria-hidden />} onClick={open}>
            Invite
          </ChangeButton>
        }
      >
        Admins can do everything here. Viewers can see deliveries and interviews, and can’t change anything.
      </PageHead>
      {members.isPending && <Skeleton height={240} radius={14} />}
      <ErrorAlert error={members.error} onRetry={() => void members.refetch()} />
      {members.data && <MemberTable members={members.data.data} onLink={show} />}
      {members.data && members.data.invitations.length > 0 && (
        <>
          <Title order={2} className={classes.heading}>
            Invitations
          </Title>
          <InvitationTable invitations={members.data.invitations} onLink={show} />
        </>
      )}
      <InviteDialog opened={inviting} onClose={close} onInvited={show} />
      <LinkDialog link={link} opened={showing} onClose={shown.close} onClosed={() => focusIfLost(inviteRef.current)} />
    </>
  )
}
