/** Entities as tutorials write them: a property per column, mapped to the API's shape by class-transformer. */
import { Exclude, Expose } from 'class-transformer';
import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('bench_profiles')
export class Profile {
  @PrimaryColumn() @Exclude() platform: string;
  @PrimaryColumn() id: string;
  @Column() name: string;
  @Column() display_name: string;
  @Column() url: string;
  @Column() description: string;
  @Column() profile_image: string;
  @Column() banner_image: string;
  @Column() language: string;
  @Column('bigint') @Exclude() followers: number;
  @Column('bigint') @Exclude() views_estimated: number;
  @Column() account_type: string;
  @Column() is_mature: boolean;
  @Column('datetime', { precision: 3 }) updated_at: Date;
  @Column('datetime', { precision: 3, nullable: true }) last_active_at: Date | null;

  @Expose() get platform_id() {
    return this.platform;
  }

  @Expose() get statistics() {
    return { followers: this.followers, views_estimated: this.views_estimated };
  }
}

@Entity('bench_content')
export class Content {
  @PrimaryColumn() platform: string;
  @PrimaryColumn() content_id: string;
  @Column() type: string;
  @Column('text', { nullable: true }) title: string | null;
  @Column('text', { nullable: true }) description: string | null;
  @Column('datetime', { precision: 3 }) created_at: Date;
  @Column('datetime', { precision: 3, nullable: true }) ended_at: Date | null;
  @Column('bigint', { nullable: true }) duration: number | null;
  @Column() url: string;
  @Column() profile_id: string;
  @Column('json') categories: object[];
  @Column('json') tags: object[];
  @Column('json') chapters: object[];
  @Column('double', { nullable: true }) @Exclude() viewers_avg: number | null;
  @Column('bigint', { nullable: true }) @Exclude() viewers_max: number | null;
  @Column('bigint', { nullable: true }) @Exclude() watched_minutes_sum: number | null;
  @Column('bigint', { nullable: true }) @Exclude() airtime_minutes_sum: number | null;
  @Column('bigint', { nullable: true }) @Exclude() views_sum: number | null;
  @Column('bigint', { nullable: true }) @Exclude() likes_sum: number | null;
  @Column('bigint', { nullable: true }) @Exclude() comments_sum: number | null;
  @Column('bigint', { nullable: true }) @Exclude() comments_avg: number | null;

  @Expose() get statistics() {
    if (this.type !== 'stream') {
      return {
        views: { sum: this.views_sum },
        likes: { sum: this.likes_sum },
        comments: { sum: this.comments_sum, avg: this.comments_avg },
      };
    }
    return {
      viewers: { avg: this.viewers_avg, max: this.viewers_max },
      watched_minutes: { sum: this.watched_minutes_sum },
      airtime_minutes: { sum: this.airtime_minutes_sum },
    };
  }
}

@Entity('bench_game_content')
export class GameContent {
  @PrimaryColumn() platform: string;
  @PrimaryColumn() game_id: string;
  @PrimaryColumn('datetime', { precision: 3 }) created_at: Date;
  @PrimaryColumn() content_id: string;
}

@Entity('tutorial_keys')
export class ApiKey {
  @PrimaryColumn() hash: string;
  @Column() name: string;
}

@Entity('tutorial_usage')
export class UsageRecord {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column() key_name: string;
  @Column() path: string;
  @Column('datetime', { precision: 3 }) occurred_at: Date;
}
