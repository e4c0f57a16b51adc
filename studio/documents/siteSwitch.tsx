import {PauseIcon} from '@sanity/icons/Pause'
import {PlayIcon} from '@sanity/icons/Play'
import {Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {type DocumentActionComponent, useClient, useDocumentPairPermissions} from 'sanity'
import {describeFreshness} from '../install/freshness.ts'
import {API_VERSION} from '../live/apiVersion.ts'

/**
 * Switches a published site off, with one confirmation, and on again. It changes `enabled` alone: other changes in
 * a draft stay in the draft.
 */
export const switchSite: DocumentActionComponent = ({id, type, draft, published}) => {
  const client = useClient({apiVersion: API_VERSION})
  const toast = useToast()
  const [permissions, isLoading] = useDocumentPairPermissions({id, type, permission: 'publish'})
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  if (published === null) return null
  const isOn = published.enabled !== false

  const commit = async () => {
    const enabled = !isOn
    setAsking(false)
    setBusy(true)
    const transaction = client.transaction().patch(id, {set: {enabled}})
    if (draft !== null) transaction.patch(draft._id, {set: {enabled}})
    const problem = await transaction.commit({tag: 'handrail.site-switch'}).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    setBusy(false)
    toast.push(
      problem === undefined
        ? {status: 'success', title: enabled ? 'All tools are switched on' : 'All tools are switched off'}
        : {status: 'error', title: 'Nothing was changed', description: problem},
    )
  }

  return {
    label: isOn ? 'Switch off all tools' : 'Switch on all tools',
    icon: isOn ? PauseIcon : PlayIcon,
    tone: isOn ? 'critical' : 'positive',
    disabled: isBusy || isLoading || permissions?.granted !== true,
    title: permissions?.granted === false ? 'You are not allowed to publish this site.' : undefined,
    onHandle: isOn ? () => setAsking(true) : () => void commit(),
    dialog: isAsking && {
      type: 'confirm',
      tone: 'critical',
      message: <Question pollInterval={published.pollInterval} />,
      confirmButtonText: 'Switch off all tools',
      onConfirm: () => void commit(),
      onCancel: () => setAsking(false),
    },
  }
}
switchSite.displayName = 'SwitchSite'

function Question({pollInterval}: {pollInterval: unknown}) {
  return (
    <Stack gap={3}>
      <Text size={1}>
        Pages of this site will have no tools. The tools stay here with their own settings, and you can switch
        all of them on again.
      </Text>
      <Text muted size={1}>
        {describeFreshness(pollInterval)}
      </Text>
    </Stack>
  )
}
