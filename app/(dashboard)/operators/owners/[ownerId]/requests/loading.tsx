export { TablePageSkeleton as default } from '@/components/ui/skeleton'
