import {useDocumentPairPermissions} from 'sanity'

/** Whether this person may make a site like this one. */
export function useMayCopySite(siteId: string): boolean {
  const [permissions] = useDocumentPairPermissions({id: siteId, type: 'site', permission: 'duplicate'})
  return permissions?.granted === true
}
