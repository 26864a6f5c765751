import { Tabs } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PageHead } from '../parts/PageHead.tsx'
import { SearchInput } from '../parts/SearchInput.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './InterviewsPage.module.css'
import { InvitationList } from './InvitationList.tsx'
import { ResultList } from './ResultList.tsx'
import { type Kind, kinds } from './search.ts'
import { TemplateList } from './TemplateList.tsx'

const route = getRouteApi('/$organizationId/interviews/$kind')

const labels: Record<Kind, string> = { results: 'Results', invitations: 'Invitations', templates: 'Templates' }

const placeholders: Record<Kind, string> = {
  results: 'Name, email or ID',
  invitations: 'Name, email or ID',
  templates: 'Title, posting ID or template ID',
}

/** Templates, invitations and results, to read only. The search is in the URL, so that other pages can link to one row. */
export function InterviewsPage() {
  const { id: organizationId } = useOrganization()
  const { kind } = route.useParams()
  const { search } = route.useSearch()
  const navigate = useNavigate()
  const show = (next: { kind: Kind; search?: string }, { replace = false } = {}) =>
    void navigate({
      to: '/$organizationId/interviews/$kind',
      params: { organizationId, kind: next.kind },
      search: next.search ? { search: next.search } : {},
      replace,
      resetScroll: false,
    })

  return (
    <>
      <PageHead title="Interviews">Everything your systems created through the API, and what came of it.</PageHead>
      <Tabs
        value={kind}
        onChange={(value) => {
          const next = kinds.find((one) => one === value)
          if (next) show({ kind: next })
        }}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {kinds.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {labels[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <search className={classes.search} aria-label={`Search ${labels[kind].toLowerCase()}`}>
          <SearchInput
            key={kind}
            label={`Search: ${placeholders[kind]}`}
            placeholder={placeholders[kind]}
            value={search ?? ''}
            maxLength={254}
            onSearch={(text) => show({ kind, search: text }, { replace: true })}
          />
        </search>
        <Tabs.Panel value="results">
          <ResultList search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="invitations">
          <InvitationList search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="templates">
          <TemplateList search={search} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
