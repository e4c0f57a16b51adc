import {Flex, Stack, Text} from '@sanity/ui'
import {useCallback} from 'react'
import {NotLoaded} from '../live/notLoaded.tsx'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import {Muted} from '../parts/note.tsx'
import {siteName} from '../parts/siteName.ts'
import {PaneButton} from '../parts/smallButton.tsx'

type Site = {_id: string; name: string | null; isTaken: boolean}

const SITES = `*[_type == "site" && _id != $besides] | order(lower(name)) {
  _id, name,
  "isTaken": count(*[_type in ["tool", "formTool"] && site._ref == ^._id && name == $name]) > 0
}`

/** A list of sites to choose from. Says which of them have a tool of the same name already. */
export function ChooseSite(props: {
  /** The site that the tool belongs to, which is not offered. */
  besides: string | undefined
  /** The name of the tool. */
  name: string
  onChoose: (siteId: string) => void
}) {
  const {besides = '', name, onChoose} = props
  const client = useContent()
  const ask = useCallback(
    (signal: AbortSignal) => client.fetch<Site[]>(SITES, {besides, name}, {perspective: 'drafts', signal}),
    [client, besides, name],
  )
  const sites = useAnswer(ask)
  if (sites.state !== 'answered') return <NotLoaded of={sites} />
  if (sites.value.length === 0)
    return <Text size={1}>There is no other site yet. Add one with + in the list of sites.</Text>
  return (
    <Stack as="ul" data-testid="choose-site" gap={2}>
      {sites.value.map(({_id, name: other, isTaken}) => (
        <Stack as="li" gap={2} key={_id}>
          <PaneButton
            justify="flex-start"
            onClick={() => onChoose(_id)}
            text={siteName(other)}
            width="fill"
          />
          {isTaken && (
            <Flex paddingBottom={2} paddingX={2}>
              <Muted>It already has a tool named “{name}”: you will have to rename this one.</Muted>
            </Flex>
          )}
        </Stack>
      ))}
    </Stack>
  )
}
