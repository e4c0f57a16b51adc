import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import type {DocumentActionComponent} from 'sanity'
import {lazily} from '../parts/lazily.tsx'
import {useSiteSwitch} from './useSiteSwitch.ts'

const SwitchDialog = lazily(async () => (await import('./switchDialog.tsx')).SwitchDialog)

/** Switches a published site off, with one confirmation, and on again. */
export const switchSite: DocumentActionComponent = ({id, draft, published}) => {
  const site = useSiteSwitch(id, published, draft)
  if (site === undefined) return null
  const {isOn, label, isDisabled, problem, asks, start} = site
  return {
    label,
    icon: isOn ? PauseIcon : PlayIcon,
    tone: isOn ? 'critical' : 'positive',
    disabled: isDisabled,
    title: problem,
    onHandle: start,
    dialog: asks !== undefined && {type: 'custom', component: <SwitchDialog site={site} />},
  }
}
switchSite.displayName = 'SwitchSite'
