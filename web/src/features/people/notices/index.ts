export { NoticeCard } from './NoticeCard.tsx'
