import {UsersIcon} from '@sanity/icons/Users'
import type {Tool} from 'sanity'
import {route} from 'sanity/router'
import {lazily} from '../parts/lazily.tsx'

/** Who may do what, sessions, tokens and the audit log. Only for a Studio on a lake: hosted Sanity has its own pages. */
export const peopleTool: Tool = {
  name: 'people',
  title: 'People',
  icon: UsersIcon,
  router: route.create('/', route.create('/:tab')),
  component: lazily(async () => (await import('./peoplePage.tsx')).PeoplePage),
}
