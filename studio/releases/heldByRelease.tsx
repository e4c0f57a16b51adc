import {Button, Stack, Text} from '@sanity/ui'
import {checkedAction} from '../live/checkedAction.tsx'
import {type Holder, holdersOf} from './held.ts'

/** Sanity's action that publishes, deletes or unpublishes. If a scheduled release holds the document, it says so first. */
export const toldOfReleases = checkedAction('ToldOfReleases', {
  check: (client, {id}) => holdersOf(client, id),
  failed: 'The scheduled releases could not be read. Try again.',
  header: () => 'A scheduled release changes this, too',
  content: (holders, verb, _props, {proceed}) => (
    <Stack data-testid="held-by-release" gap={4}>
      {holders.map((holder) => (
        <Text key={`${holder.title} ${holder.publishAt}`} size={1}>
          {inWords(holder)}
        </Text>
      ))}
      <Text size={1}>{CONSEQUENCES[verb]}</Text>
      <Button data-testid="proceed" onClick={proceed} text="Go on" tone="primary" />
    </Stack>
  ),
})

const CONSEQUENCES = {
  publish:
    'At its time, it publishes what it changes, and keeps what you change now. If both change the same field, it is not published, and Studio’s first page says so.',
  unpublish: 'If it changes this, it is not published at its time, and Studio’s first page says so.',
  delete: 'If it changes this, it is not published at its time, and Studio’s first page says so.',
} as const

function inWords({title, publishAt}: Holder): string {
  return `“${title}” is scheduled for ${new Date(publishAt).toLocaleString()}.`
}
