export { CardsPageSkeleton as default } from '@/components/ui/skeleton'
