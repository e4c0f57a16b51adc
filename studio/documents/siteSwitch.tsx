import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import {type DocumentActionComponent, useEditState} from 'sanity'
import {PaneButton} from '../parts/layout.tsx'
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

/**
 * A button that switches a published site off, after one confirmation, and on again.
 * @param hasTools whether there is something to switch off
 */
export function SwitchButton({siteId, hasTools}: {siteId: string; hasTools: boolean}) {
  const {draft, published} = useEditState(siteId, 'site')
  const site = useSiteSwitch(siteId, published, draft)
  if (site === undefined || (site.isOn && !hasTools)) return null
  const {isOn, label, isDisabled, problem, start} = site
  return (
    <>
      <PaneButton
        data-testid="site-switch"
        disabled={isDisabled}
        icon={isOn ? PauseIcon : PlayIcon}
        onClick={start}
        text={label}
        title={problem}
        tone={isOn ? 'critical' : 'positive'}
      />
      <SwitchDialog site={site} />
    </>
  )
}
