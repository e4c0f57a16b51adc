import {CopyIcon} from '@sanity/icons/Copy'
import {TransferIcon} from '@sanity/icons/Transfer'
import {useState} from 'react'
import {type DocumentActionComponent, useDocumentPairPermissions} from 'sanity'
import {useRouter} from 'sanity/router'
import {publishedIdOf} from '../../schemas/documentId.ts'
import {siteOf} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {useSend} from '../live/useSend.ts'
import {menuDialog} from '../parts/dialog.tsx'
import {referenceToSite} from '../siteReference.ts'
import {ChooseSite} from './chooseSite.tsx'

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
