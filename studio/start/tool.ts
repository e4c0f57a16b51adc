import {HomeIcon} from '@sanity/icons/Home'
import type {Tool} from 'sanity'
import {lazily} from '../parts/lazily.tsx'

/** The first page of Studio. */
export const startTool: Tool = {
  name: 'overview',
  title: 'Overview',
  icon: HomeIcon,
  component: lazily(async () => (await import('./startPage.tsx')).StartPage),
}
