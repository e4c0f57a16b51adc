import {CopyIcon} from '@sanity/icons/Copy'
import {useState} from 'react'
import {type DocumentActionComponent, useDocumentPairPermissions} from 'sanity'
import {PaneButton} from '../../parts/layout.tsx'
import {lazily} from '../../parts/lazily.tsx'

const CopySiteDialog = lazily(async () => (await import('./dialog.tsx')).CopySiteDialog)

/** Whether this person may make a site like this one, and the dialog while it is open. */
function useCopySite(siteId: string) {
  const [isOpen, setOpen] = useState(false)
  const [permissions] = useDocumentPairPermissions({id: siteId, type: 'site', permission: 'duplicate'})
  return {
    isAllowed: permissions?.granted === true,
    open: () => setOpen(true),
    dialog: isOpen && <CopySiteDialog onClose={() => setOpen(false)} siteId={siteId} />,
  }
}

/** Copies a site with its tools, in place of Sanity's "Duplicate": that one would copy the public ID, and no tools. */
export const copySiteAction: DocumentActionComponent = ({id, draft, published}) => {
  const {isAllowed, open, dialog} = useCopySite(id)
  if (draft === null && published === null) return null
  return {
    label: 'Copy this site',
    icon: CopyIcon,
    disabled: !isAllowed,
    ...(!isAllowed && {title: 'You are not allowed to make sites.'}),
    onHandle: open,
    dialog: dialog && {type: 'custom', component: dialog},
  }
}
copySiteAction.displayName = 'CopySite'

/** A button that copies a site with its tools. Nothing for those who may not make sites. */
export function CopySiteButton({siteId}: {siteId: string}) {
  const {isAllowed, open, dialog} = useCopySite(siteId)
  if (!isAllowed) return null
  return (
    <>
      <PaneButton data-testid="copy-site" icon={CopyIcon} onClick={open} text="Copy this site" />
      {dialog}
    </>
  )
}
