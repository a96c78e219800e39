"""What a page says about itself: titles, authors, dates, posts, and the articles that only its scripts hold."""
