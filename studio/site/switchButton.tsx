import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import {Button} from '@sanity/ui'
import {useEditState} from 'sanity'
import {SwitchQuestion} from '../documents/switchQuestion.tsx'
import {useSiteSwitch} from '../documents/useSiteSwitch.ts'
import {ConfirmDialog} from '../parts/confirmDialog.tsx'
import {StudioDialog} from '../parts/dialog.tsx'
import {RequestForm} from '../review/requestForm.tsx'

/** A button that switches a published site off, after one confirmation, and on again. */
export function SwitchButton({siteId, isLake}: {siteId: string; isLake: boolean}) {
  const {draft, published} = useEditState(siteId, 'site')
  const site = useSiteSwitch(siteId, published, draft, isLake)
  if (site === undefined) return null
  const {isOn, label, isDisabled, problem, asks, start, confirm, cancel} = site
  return (
    <>
      <Button
        data-testid="site-switch"
        disabled={isDisabled}
        fontSize={1}
        icon={isOn ? PauseIcon : PlayIcon}
        mode="ghost"
        onClick={start}
        text={label}
        title={problem}
        tone={isOn ? 'critical' : 'positive'}
      />
      {asks === 'confirmation' && (
        <ConfirmDialog action={label} onClose={cancel} onConfirm={confirm} title={`${label}?`}>
          <SwitchQuestion pollInterval={published?.pollInterval} />
        </ConfirmDialog>
      )}
      {typeof asks === 'object' && (
        <StudioDialog
          header="Request a review of switching on"
          id="site-switch-review"
          onClose={cancel}
          width={0}
        >
          <RequestForm onDone={cancel} wish={asks} />
        </StudioDialog>
      )}
    </>
  )
}
