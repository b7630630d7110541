import { deleteGalleryOffer, getGalleryOffer, putGalleryOffer } from '@vigil/contract/prints/gallery.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export const offerQuery = (printId: number) =>
  queryOptions({
    queryKey: ['gallery-offer', printId] as const,
    queryFn: () => call(getGalleryOffer, { params: { id: printId } }),
    // Its copies are being made: soon it is public.
    refetchInterval: ({ state }) => (state.data?.state === 'accepted' ? 2_000 : false),
  })

export const offer = (printId: number, name: string) =>
  call(putGalleryOffer, { params: { id: printId }, body: { creator_name: name, consent: true } })

export const withdraw = (printId: number) => call(deleteGalleryOffer, { params: { id: printId } })
