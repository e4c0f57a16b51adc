import {HomeIcon} from '@sanity/icons/Home'
import type {Tool} from 'sanity'
import {lazily} from '../parts/lazily.tsx'

/** The first page of Studio. */
export function startTool(isLake: boolean): Tool {
  return {
    name: 'overview',
    title: 'Overview',
    icon: HomeIcon,
    component: lazily(async () => {
      const {LakeStartPage, StartPage} = await import('./startPage.tsx')
      return isLake ? LakeStartPage : StartPage
    }),
  }
}
