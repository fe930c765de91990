;; Inner loops of a search by words. `npm run kernel` compiles this file into `score-kernel.ts`, which is what runs. Counts and sums are in
;; double precision, one a document. Documents lie in blocks of sixteen; `$marks` has a byte for each block. A place packs a document number
;; and, in four bits, the count of the word in it; see `places.ts`.
(module
  (import "kernel" "memory" (memory 1 65536))

  ;; Counts a word at the places from `$places` to `$end`, each `$share` times its count over `$least` plus `$perLength` times the length of
  ;; its document, by the operations of `addOneByOne` in their order. Marks the blocks that it reaches. `$counts`, `$marks` and `$lengths` are
  ;; where those of number 0 would lie. `$order` has the number to count at for each document; 0 if that is the document's own.
  (func (export "count")
    (param $places i32) (param $end i32) (param $counts i32) (param $marks i32) (param $lengths i32) (param $order i32)
    (param $share f64) (param $least f64) (param $perLength f64)
    (local $place i32) (local $number i32) (local $at i32) (local $times f64)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $places) (local.get $end)))
        (local.set $place (i32.load (local.get $places)))
        (local.set $number (i32.shr_s (local.get $place) (i32.const 4)))
        (local.set $times
          (f64.div
            (f64.mul (local.get $share) (f64.convert_i32_s (i32.and (local.get $place) (i32.const 15))))
            (f64.add
              (local.get $least)
              (f64.mul
                (local.get $perLength)
                (f64.convert_i32_s (i32.load (i32.add (local.get $lengths) (i32.shl (local.get $number) (i32.const 2)))))))))
        (if (local.get $order)
          (then (local.set $number (i32.load (i32.add (local.get $order) (i32.shl (local.get $number) (i32.const 2)))))))
        (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $number) (i32.const 3))))
        (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (local.get $times)))
        ;; One of them is the block of the document itself.
        (i32.store8
          (i32.add (local.get $marks) (i32.shr_s (i32.sub (local.get $number) (i32.const 2)) (i32.const 4)))
          (i32.const 1))
        (i32.store8
          (i32.add (local.get $marks) (i32.shr_s (i32.add (local.get $number) (i32.const 2)) (i32.const 4)))
          (i32.const 1))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (br $next))))

  ;; Adds the scores of a word to the `$sums` of the documents in all blocks with the mark 1: `$share` for each, saturated by `$k`. A word
  ;; counts as often as in the document itself, and in part as in the two before and the two after it. Two documents at a time. Zeroes what
  ;; it has read: the marks, and the counts but those of the last two documents, which the next block still lends from.
  (func (export "drain")
    (param $counts i32) (param $sums i32) (param $marks i32) (param $end i32) (param $share f64) (param $k f64)
    (param $secondBefore f64) (param $before f64) (param $after f64) (param $secondAfter f64)
    (local $stop i32) (local $isLeft i32) (local $times v128) (local $last v128) (local $own v128) (local $next v128)
    (local $shares v128) (local $ks v128) (local $most v128)
    (local $secondBefores v128) (local $befores v128) (local $afters v128) (local $secondAfters v128)
    (local.set $shares (f64x2.splat (local.get $share)))
    (local.set $ks (f64x2.splat (local.get $k)))
    (local.set $most (f64x2.splat (f64.add (local.get $k) (f64.const 1))))
    (local.set $secondBefores (f64x2.splat (local.get $secondBefore)))
    (local.set $befores (f64x2.splat (local.get $before)))
    (local.set $afters (f64x2.splat (local.get $after)))
    (local.set $secondAfters (f64x2.splat (local.get $secondAfter)))
    ;; Whether the two counts before a block may be left: those of a former range may.
    (local.set $isLeft (i32.const 1))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $marks) (local.get $end)))
        (if (i32.ne (i32.load8_u (local.get $marks)) (i32.const 1))
          (then
            (if (local.get $isLeft)
              (then (v128.store (i32.sub (local.get $counts) (i32.const 16)) (v128.const i64x2 0 0))))
            (local.set $isLeft (i32.const 0))
            (local.set $counts (i32.add (local.get $counts) (i32.const 128)))
            (local.set $sums (i32.add (local.get $sums) (i32.const 128))))
          (else
            (i32.store8 (local.get $marks) (i32.const 0))
            (local.set $isLeft (i32.const 1))
            (local.set $stop (i32.add (local.get $counts) (i32.const 128)))
            (local.set $last (v128.load (i32.sub (local.get $counts) (i32.const 16))))
            (local.set $own (v128.load (local.get $counts)))
            (loop $two
              (local.set $next (v128.load offset=16 (local.get $counts)))
              (v128.store (i32.sub (local.get $counts) (i32.const 16)) (v128.const i64x2 0 0))
              (local.set $times
                (f64x2.add
                  (local.get $own)
                  (f64x2.mul
                    (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 (local.get $last) (local.get $own))
                    (local.get $befores))))
              (local.set $times (f64x2.add (local.get $times) (f64x2.mul (local.get $last) (local.get $secondBefores))))
              (local.set $times
                (f64x2.add
                  (local.get $times)
                  (f64x2.mul
                    (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 (local.get $own) (local.get $next))
                    (local.get $afters))))
              (local.set $times (f64x2.add (local.get $times) (f64x2.mul (local.get $next) (local.get $secondAfters))))
              (v128.store (local.get $sums)
                (f64x2.add
                  (v128.load (local.get $sums))
                  (f64x2.div
                    (f64x2.mul (f64x2.mul (local.get $shares) (local.get $times)) (local.get $most))
                    (f64x2.add (local.get $times) (local.get $ks)))))
              (local.set $last (local.get $own))
              (local.set $own (local.get $next))
              (local.set $counts (i32.add (local.get $counts) (i32.const 16)))
              (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
              (br_if $two (i32.lt_u (local.get $counts) (local.get $stop))))))
        (local.set $marks (i32.add (local.get $marks) (i32.const 1)))
        (br $block))))

  ;; Multiplies the sums from `$sums` to `$end` by `$scale`, and writes the greatest of each block to `$greatest`.
  (func (export "scale") (param $sums i32) (param $end i32) (param $greatest i32) (param $scale f64)
    (local $scales v128) (local $a v128) (local $most v128) (local $stop i32)
    (local.set $scales (f64x2.splat (local.get $scale)))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $sums) (local.get $end)))
        (local.set $most (v128.const f64x2 0 0))
        (local.set $stop (i32.add (local.get $sums) (i32.const 128)))
        (loop $two
          (local.set $a (f64x2.mul (v128.load (local.get $sums)) (local.get $scales)))
          (v128.store (local.get $sums) (local.get $a))
          (local.set $most (f64x2.pmax (local.get $most) (local.get $a)))
          (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
          (br_if $two (i32.lt_u (local.get $sums) (local.get $stop))))
        (f64.store (local.get $greatest)
          (f64.max (f64x2.extract_lane 0 (local.get $most)) (f64x2.extract_lane 1 (local.get $most))))
        (local.set $greatest (i32.add (local.get $greatest) (i32.const 8)))
        (br $block)))))
