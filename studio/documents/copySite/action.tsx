import {CopyIcon} from '@sanity/icons/Copy'
import {useState} from 'react'
import type {DocumentActionComponent} from 'sanity'
import {menuDialog} from '../../parts/dialog.tsx'
import {lazily} from '../../parts/lazily.tsx'
import {useMayCopySite} from './useMayCopySite.ts'

const CopySiteForm = lazily(async () => (await import('./dialog.tsx')).CopySiteForm)

/** Copies a site with its tools, in place of Sanity's "Duplicate": that one would copy the public ID, and no tools. */
export const copySiteAction: DocumentActionComponent = ({id, draft, published}) => {
  const [isOpen, setOpen] = useState(false)
  const isAllowed = useMayCopySite(id)
  if (draft === null && published === null) return null
  return {
    label: 'Copy this site',
    icon: CopyIcon,
    disabled: !isAllowed,
    ...(!isAllowed && {title: 'You are not allowed to make sites.'}),
    onHandle: () => setOpen(true),
    dialog:
      isOpen &&
      menuDialog('Copy this site', <CopySiteForm onClose={() => setOpen(false)} siteId={id} />, () =>
        setOpen(false),
      ),
  }
}
copySiteAction.displayName = 'CopySite'
