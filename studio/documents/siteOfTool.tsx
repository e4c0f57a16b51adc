import {CopyIcon} from '@sanity/icons/Copy'
import {TransferIcon} from '@sanity/icons/Transfer'
import {Flex, Stack, Text} from '@sanity/ui'
import {useCallback, useState} from 'react'
import {type DocumentActionComponent, useDocumentPairPermissions} from 'sanity'
import {useRouter} from 'sanity/router'
import {referenceToSite} from '../../making/siteReference.ts'
import {publishedIdOf} from '../../schemas/documentId.ts'
import {siteOf} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {useContent} from '../live/useContent.ts'
import {useSend} from '../live/useSend.ts'
import {siteName} from '../parts/addresses.ts'
import {menuDialog} from '../parts/dialog.tsx'
import {Muted, PaneButton} from '../parts/layout.tsx'

/** Copies a tool to another site, as a draft. */
export const copyToSite = toOtherSite({
  label: 'Copy to another site',
  done: 'Copied as a draft',
  icon: CopyIcon,
  isMove: false,
})

/** Moves a tool to another site. Pages follow when the draft is published. */
export const moveToSite = toOtherSite({
  label: 'Move to another site',
  done: 'Moved in the draft. Publish it to move it on the pages.',
  icon: TransferIcon,
  isMove: true,
})

type Kind = {label: string; done: string; icon: typeof CopyIcon; isMove: boolean}

function toOtherSite({label, done, icon, isMove}: Kind): DocumentActionComponent {
  const action: DocumentActionComponent = ({id, type, draft, published}) => {
    const {run} = useSend()
    const router = useRouter()
    const permission = isMove ? 'update' : 'duplicate'
    const [permissions, isLoading] = useDocumentPairPermissions({id, type, permission})
    const [isChoosing, setChoosing] = useState(false)
    const source = draft ?? published
    if (source === null) return null

    const choose = (siteId: string) => {
      setChoosing(false)
      const {_rev, _createdAt, _updatedAt, ...fields} = source
      const site = referenceToSite(siteId)
      return run(done, async (client) => {
        // Sanity completes an id that ends with a dot.
        const writing = isMove
          ? client
              .transaction()
              .createIfNotExists({...fields, _id: `drafts.${id}`})
              .patch(`drafts.${id}`, {set: {site}})
              .commit({tag: 'handrail.move'})
              .then(() => id)
          : client
              .create({...fields, site, _id: 'drafts.'}, {tag: 'handrail.copy'})
              .then(({_id}) => publishedIdOf(_id))
        const toolId = await writing
        const list = type === 'tool' ? 'tools' : 'formTools'
        router.navigate({panes: [[{id: 'sites'}], [{id: siteId}], [{id: list}], [{id: toolId}]]})
      })
    }

    return {
      label,
      icon,
      disabled: isLoading || permissions?.granted !== true,
      title: permissions?.granted === false ? 'You are not allowed to change this tool.' : undefined,
      onHandle: () => setChoosing(true),
      dialog:
        isChoosing &&
        menuDialog(
          label,
          <ChooseSite
            besides={siteOf(source)}
            name={textOf(source.name)}
            onChoose={(siteId) => void choose(siteId)}
          />,
          () => setChoosing(false),
        ),
    }
  }
  action.displayName = label
  return action
}

type Site = {_id: string; name: string | null; isTaken: boolean}

const SITES = `*[_type == "site" && _id != $besides] | order(lower(name)) {
  _id, name,
  "isTaken": count(*[_type in ["tool", "formTool"] && site._ref == ^._id && name == $name]) > 0
}`

/** A list of sites to choose from. Says which of them have a tool of the same name already. */
function ChooseSite(props: {
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
