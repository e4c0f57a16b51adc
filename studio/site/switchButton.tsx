import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import {Box, Button, Flex} from '@sanity/ui'
import {useEditState} from 'sanity'
import {SwitchQuestion} from '../documents/switchQuestion.tsx'
import {useSiteSwitch} from '../documents/useSiteSwitch.ts'
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
        <StudioDialog
          footer={
            <Flex gap={2} justify="flex-end" padding={3}>
              <Button fontSize={1} mode="bleed" onClick={cancel} text="Cancel" />
              <Button
                data-testid="site-switch-confirm"
                fontSize={1}
                mode="ghost"
                onClick={confirm}
                text={label}
                tone="critical"
              />
            </Flex>
          }
          header={`${label}?`}
          id="site-switch"
          onClose={cancel}
          width={0}
        >
          <Box padding={4}>
            <SwitchQuestion pollInterval={published?.pollInterval} />
          </Box>
        </StudioDialog>
      )}
      {typeof asks === 'object' && (
        <StudioDialog
          header="Request a review of switching on"
          id="site-switch-review"
          onClose={cancel}
          width={0}
        >
          <Box padding={4}>
            <RequestForm onDone={cancel} wish={asks} />
          </Box>
        </StudioDialog>
      )}
    </>
  )
}
