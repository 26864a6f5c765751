import type {
  BrowseFilter,
  InvitationPage,
  ResultPage,
  TemplatePage,
} from '../../../server/http/settings/browse-schemas.ts'
import type { RequestPage, RequestQuery } from '../../../server/http/settings/request-schemas.ts'
import type { ActivityPage } from '../../../server/http/settings/schemas.ts'
import { at, send } from './request.ts'

/** What can only be read: interviews, requests and activity. */
export const recordsApi = {
  templates: (organizationId: string, query: BrowseFilter) =>
    send<TemplatePage>('GET', at(organizationId, '/templates', query)),
  invitations: (organizationId: string, query: BrowseFilter) =>
    send<InvitationPage>('GET', at(organizationId, '/invitations', query)),
  results: (organizationId: string, query: BrowseFilter) =>
    send<ResultPage>('GET', at(organizationId, '/results', query)),
  requests: (organizationId: string, query: RequestQuery) =>
    send<RequestPage>('GET', at(organizationId, '/requests', query)),
  activity: (organizationId: string, cursor: string | null) =>
    send<ActivityPage>('GET', at(organizationId, '/activity', cursor === null ? {} : { cursor })),
}

export function activityExport(organizationId: string): string {
  return `/settings/api${at(organizationId, '/activity/export.csv')}`
}
