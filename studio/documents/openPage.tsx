import {EyeOpenIcon} from '@sanity/icons/EyeOpen'
import {useState} from 'react'
import type {DocumentActionComponent} from 'sanity'
import {siteOf} from '../../schemas/documents.ts'
import {lazily} from '../parts/lazily.tsx'

const PreviewDialog = lazily(async () => (await import('../preview/dialog.tsx')).PreviewDialog)

/** Opens a page of the site with the drafts of its tools. */
export const openPage: DocumentActionComponent = ({id, type, draft, published}) => {
  const [isOpen, setOpen] = useState(false)
  const document = draft ?? published
  if (document === null) return null
  const siteId = type === 'site' ? id : siteOf(document)
  return {
    label: draft === null ? 'Open the page with drafts' : 'Open the page with this draft',
    icon: EyeOpenIcon,
    disabled: siteId === undefined,
    title: siteId === undefined ? 'Choose a site first.' : undefined,
    onHandle: () => setOpen(true),
    dialog: isOpen &&
      siteId !== undefined && {
        type: 'custom',
        component: (
          <PreviewDialog
            onClose={() => setOpen(false)}
            siteId={siteId}
            {...(type !== 'site' && {toolId: id})}
          />
        ),
      },
  }
}
openPage.displayName = 'OpenPage'
