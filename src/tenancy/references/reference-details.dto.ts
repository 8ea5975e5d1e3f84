import { Text } from '#operations';

export class TakenDetails {
  @Text({ description: 'Record that has the external id.', max: 100 }) id: string;
}
