//! Slots whose number changes while calls are under way. No call is broken off: a slot too many goes when its call has ended.

use tokio::sync::Semaphore;

/// Slots that are to go once their calls have ended. Whoever guards how many slots there are guards this with it.
#[derive(Debug, Default)]
pub(super) struct Debt(usize);

impl Debt {
    pub fn is_paid(&self) -> bool {
        self.0 == 0
    }

    /// There were so many slots, and from now on there are so many.
    pub fn change(&mut self, slots: &Semaphore, before: usize, after: usize) {
        if after >= before {
            let paid = self.0.min(after - before);
            self.0 -= paid;
            slots.add_permits(after - before - paid);
        } else {
            self.0 += (before - after) - slots.forget_permits(before - after);
        }
    }

    /// A call has ended: its slot goes, or is free for the next.
    pub fn give_back(&mut self, slots: &Semaphore) {
        if !self.pay() {
            slots.add_permits(1);
        }
    }

    /// With a slot that nobody is to have. `false` where none is owed.
    pub fn pay(&mut self) -> bool {
        let owed = !self.is_paid();
        self.0 -= usize::from(owed);
        owed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Free slots, and those that are owed.
    fn check(slots: &Semaphore, debt: &Debt, free: usize, owed: usize) {
        assert_eq!((slots.available_permits(), debt.0), (free, owed));
    }

    /// As a call takes one.
    fn take(slots: &Semaphore) {
        slots.try_acquire().unwrap().forget();
    }

    #[test]
    fn slots_in_use_go_when_their_calls_have_ended() {
        let (slots, mut debt) = (Semaphore::new(4), Debt::default());
        (0..3).for_each(|_| take(&slots));
        debt.change(&slots, 4, 1);
        check(&slots, &debt, 0, 2);
        debt.give_back(&slots);
        debt.give_back(&slots);
        check(&slots, &debt, 0, 0);
        debt.give_back(&slots);
        check(&slots, &debt, 1, 0);
    }

    #[test]
    fn more_slots_pay_what_is_owed_first() {
        let (slots, mut debt) = (Semaphore::new(3), Debt::default());
        (0..3).for_each(|_| take(&slots));
        debt.change(&slots, 3, 1);
        check(&slots, &debt, 0, 2);
        debt.change(&slots, 1, 2);
        check(&slots, &debt, 0, 1);
        debt.change(&slots, 2, 5);
        check(&slots, &debt, 2, 0);
    }

    #[test]
    fn who_owes_nothing_pays_nothing() {
        let mut debt = Debt::default();
        assert!(!debt.pay() && debt.is_paid());
        debt.change(&Semaphore::new(0), 1, 0);
        assert!(debt.pay() && !debt.pay());
    }
}
