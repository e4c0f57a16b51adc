import {CopyIcon} from '@sanity/icons/Copy'
import {useState} from 'react'
import type {DocumentActionComponent} from 'sanity'
import {lazily} from '../../parts/lazily.tsx'
import {useMayCopySite} from './useMayCopySite.ts'

const CopySiteDialog = lazily(async () => (await import('./dialog.tsx')).CopySiteDialog)

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
    dialog: isOpen && {
      type: 'custom',
      component: <CopySiteDialog onClose={() => setOpen(false)} siteId={id} />,
    },
  }
}
copySiteAction.displayName = 'CopySite'
