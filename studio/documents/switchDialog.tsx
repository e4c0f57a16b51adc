import {Stack, Text} from '@sanity/ui'
import {describeFreshness} from '../install/freshness.ts'
import {ConfirmDialog, StudioDialog} from '../parts/dialog.tsx'
import {Muted} from '../parts/layout.tsx'
import {RequestForm} from '../review/requestForm.tsx'
import type {SiteSwitch} from './useSiteSwitch.ts'

/** Asks before all tools of a site are switched off, and requests a review of switching them on. */
export function SwitchDialog({site}: {site: SiteSwitch}) {
  const {asks, label, pollInterval, confirm, cancel} = site
  if (asks === undefined) return null
  return asks === 'confirmation' ? (
    <ConfirmDialog action={label} onClose={cancel} onConfirm={confirm} title={`${label}?`}>
      <Stack gap={4}>
        <Text size={1}>
          Pages of this site will have no tools. The tools stay here with their own settings, and you can
          switch all of them on again.
        </Text>
        <Muted>{describeFreshness(pollInterval)}</Muted>
      </Stack>
    </ConfirmDialog>
  ) : (
    <StudioDialog
      header="Request a review of switching on"
      id="site-switch-review"
      onClose={cancel}
      width={0}
    >
      <RequestForm onDone={cancel} wish={asks} />
    </StudioDialog>
  )
}
