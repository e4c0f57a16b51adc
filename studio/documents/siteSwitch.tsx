import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import type {DocumentActionComponent, DocumentActionDialogProps} from 'sanity'
import {menuDialog} from '../parts/dialog.tsx'
import {lazily} from '../parts/lazily.tsx'
import {SwitchQuestion} from './switchQuestion.tsx'
import {type SiteSwitch, useSiteSwitch} from './useSiteSwitch.ts'

const RequestForm = lazily(async () => (await import('../review/requestForm.tsx')).RequestForm)

/**
 * Switches a published site off, with one confirmation, and on again.
 * @param isLake whether the content is in a lake, which enforces reviews
 */
export function switchSite(isLake: boolean): DocumentActionComponent {
  const action: DocumentActionComponent = ({id, draft, published}) => {
    const site = useSiteSwitch(id, published, draft, isLake)
    if (site === undefined) return null
    const {isOn, label, isDisabled, problem} = site
    return {
      label,
      icon: isOn ? PauseIcon : PlayIcon,
      tone: isOn ? 'critical' : 'positive',
      disabled: isDisabled,
      title: problem,
      onHandle: site.start,
      dialog: dialogOf(site, published?.pollInterval),
    }
  }
  action.displayName = 'SwitchSite'
  return action
}

function dialogOf(
  {asks, label, confirm, cancel}: SiteSwitch,
  pollInterval: unknown,
): DocumentActionDialogProps | false {
  if (asks === undefined) return false
  if (asks === 'confirmation')
    return {
      type: 'confirm',
      tone: 'critical',
      message: <SwitchQuestion pollInterval={pollInterval} />,
      confirmButtonText: label,
      onConfirm: confirm,
      onCancel: cancel,
    }
  return menuDialog('Request a review of switching on', <RequestForm onDone={cancel} wish={asks} />, cancel)
}
