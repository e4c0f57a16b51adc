import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import {useEditState} from 'sanity'
import {SwitchDialog} from '../documents/switchDialog.tsx'
import {useSiteSwitch} from '../documents/useSiteSwitch.ts'
import {PaneButton} from '../parts/smallButton.tsx'

/** A button that switches a published site off, after one confirmation, and on again. */
export function SwitchButton({siteId}: {siteId: string}) {
  const {draft, published} = useEditState(siteId, 'site')
  const site = useSiteSwitch(siteId, published, draft)
  if (site === undefined) return null
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
