import {CopyIcon} from '@sanity/icons/Copy'
import {useState} from 'react'
import {PaneButton} from '../../parts/smallButton.tsx'
import {CopySiteDialog} from './dialog.tsx'
import {useMayCopySite} from './useMayCopySite.ts'

/** A button that copies a site with its tools. Nothing for those who may not make sites. */
export function CopySiteButton({siteId}: {siteId: string}) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayCopySite(siteId)) return null
  return (
    <>
      <PaneButton
        data-testid="copy-site"
        icon={CopyIcon}
        onClick={() => setOpen(true)}
        text="Copy this site"
      />
      {isOpen && <CopySiteDialog onClose={() => setOpen(false)} siteId={siteId} />}
    </>
  )
}
